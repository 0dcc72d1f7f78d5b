/* Dining philosophers, Table 1 of [ELL00], in any number: `short` instead of `byte` lets N
   be more than 255. N is given. */
mtype = { fork }
#define left forks[my_id]
#define right forks[(my_id + 1) % N]
chan forks[N] = [1] of { bit };

proctype philosopher(int my_id)
{
   do
   :: left?fork -> right?fork; left!fork; right!fork
   od
}

init
{
   short philosophers = N;
   atomic {
      do
      :: philosophers > 0 ->
         philosophers--;
         run philosopher(philosophers);
         forks[philosophers]!fork
      :: philosophers == 0 -> break
      od
   }
}
