/* expect: states 7058; transitions 13015; safe */
/*
 * Structures, arrays in structures, and structures in messages.
 *
 * A small bank with ACCOUNTS accounts.  A customer writes transfer orders; a
 * teller executes an order if the balance permits it.
 *
 * Property:  money is neither made nor lost: the sum of all balances is
 *            constant, no balance is negative (assertions).
 * Look at:   `bank.account[i].balance`, a field in an array in a structure,
 *            and `orders!order`, which sends all fields of a structure as one
 *            message.
 */
#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif
#ifndef ORDERS
#define ORDERS 3
#endif
#define CAPITAL 4          /* initial balance of account 0 */

typedef Account {
   short balance;
   byte  moves
}

typedef Bank {
   Account account[ACCOUNTS];
   byte refused
}

typedef Order {
   byte from;
   byte to;
   byte amount
}

Bank bank;
chan orders = [1] of { Order };

active proctype customer()
{
   Order order;
   byte written, choice;

   do
   :: written < ORDERS ->
      select (choice : 0 .. ACCOUNTS - 1);
      order.from = choice;
      order.to = (choice + 1) % ACCOUNTS;
      select (choice : 1 .. 2);
      order.amount = choice;
      orders!order;
      written++
   :: else -> break
   od
}

active proctype teller()
{
   Order order;
   byte i;
   short sum;

   bank.account[0].balance = CAPITAL;
end:
   do
   :: orders?order ->
      atomic {
         if
         :: bank.account[order.from].balance >= order.amount ->
            bank.account[order.from].balance =
               bank.account[order.from].balance - order.amount;
            bank.account[order.to].balance =
               bank.account[order.to].balance + order.amount;
            bank.account[order.from].moves++
         :: else ->
            bank.refused++
         fi
      };
      d_step {
         sum = 0;
         for (i : 0 .. ACCOUNTS - 1) {
            assert(bank.account[i].balance >= 0);
            sum = sum + bank.account[i].balance
         }
         assert(sum == CAPITAL)
      }
   od
}
