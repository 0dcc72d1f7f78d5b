(define (problem crossing-01) (:domain crossing)
  (:objects left right - bank goat cabbage - thing)
  (:init (farmer left) (at goat left) (at cabbage left) (eats goat cabbage))
  (:goal (and (at goat right) (at cabbage right))))
