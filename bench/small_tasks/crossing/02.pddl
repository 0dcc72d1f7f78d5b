(define (problem crossing-02) (:domain crossing)
  (:objects left right - bank wolf goat cabbage - thing)
  (:init (farmer left) (at wolf left) (at goat left) (at cabbage left) (eats wolf goat) (eats goat cabbage))
  (:goal (and (at wolf right) (at goat right) (at cabbage right))))
