(define (problem pipes-02) (:domain pipes)
  (:objects a b c d - tank)
  (:init (source a) (valve a b) (open a b) (valve b c) (valve a c) (valve c d) (open b c))
  (:goal (and (wet d) (not (wet b)))))
