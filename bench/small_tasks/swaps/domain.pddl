; Neighbours change places until they stand in order.
(define (domain swaps)
  (:requirements :strips :typing)
  (:types place person)
  (:predicates (at ?x - person ?p - place) (next ?a ?b - place))
  (:action swap :parameters (?x ?y - person ?a ?b - place)
    :precondition (and (at ?x ?a) (at ?y ?b) (next ?a ?b))
    :effect (and (not (at ?x ?a)) (not (at ?y ?b)) (at ?x ?b) (at ?y ?a))))
