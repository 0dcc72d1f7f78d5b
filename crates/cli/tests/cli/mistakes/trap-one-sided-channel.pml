chan requests = [2] of { byte };
chan replies = [0] of { byte };
active proctype P() {
  requests!1;
  replies?_
}
