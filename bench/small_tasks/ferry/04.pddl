(define (problem ferry-04) (:domain ferry)
  (:objects b0 b1 b2 - bank c0 c1 c2 - car)
  (:init (ferry-at b0) (empty) (at c0 b0) (at c1 b1) (at c2 b2))
  (:goal (and (at c0 b1) (at c1 b2) (at c2 b0))))
