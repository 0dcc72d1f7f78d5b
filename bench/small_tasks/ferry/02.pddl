(define (problem ferry-02) (:domain ferry)
  (:objects b0 b1 - bank c0 c1 - car)
  (:init (ferry-at b0) (empty) (at c0 b0) (at c1 b1))
  (:goal (and (at c0 b1) (at c1 b0))))
