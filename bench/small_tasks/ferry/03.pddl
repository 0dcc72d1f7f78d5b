(define (problem ferry-03) (:domain ferry)
  (:objects b0 b1 b2 - bank c0 c1 - car)
  (:init (ferry-at b0) (empty) (at c0 b1) (at c1 b2))
  (:goal (and (at c0 b2) (at c1 b0))))
