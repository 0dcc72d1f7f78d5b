typedef Order {
  byte items[2];
  byte price
}
proctype P(Order order) {
  assert(order.items[1] == order.price)
}
init {
  Order order;
  order.price = 3;
  order.items[1] = 3;
  run P(order)
}
