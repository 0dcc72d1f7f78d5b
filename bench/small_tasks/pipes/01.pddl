(define (problem pipes-01) (:domain pipes)
  (:objects a b c d - tank)
  (:init (source a) (valve a b) (valve b c) (valve c d))
  (:goal (wet d)))
