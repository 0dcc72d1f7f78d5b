chan requests = [1] of { byte };
active proctype P() {
  requests!1;
  requests?_
}
mu served { <request!> true }
