chan q = [0] of { byte };

active proctype sender() { q!1; q!2 }

active proctype receiver()
{
    byte x;
    if
    :: q?[1] -> q?x
    :: q?<x> -> q?x
    :: q?x -> q?x
    fi
}
