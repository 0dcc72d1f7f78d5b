/* Looking for the place where a jump arrives went round for ever: the body of
   the `unless` jumps back to a `break` whose loop ends at the `unless`. */
active proctype p() {
    int x;
    do
    :: B: break
    od;
    { goto B } unless { x > 1 }
}
