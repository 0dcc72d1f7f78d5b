(define (problem ferry-01) (:domain ferry)
  (:objects b0 b1 - bank c0 - car)
  (:init (ferry-at b0) (empty) (at c0 b0))
  (:goal (and (at c0 b1))))
