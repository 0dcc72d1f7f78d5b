; Tiles slide into the only free place of a frame.
(define (domain tiles)
  (:requirements :strips :typing)
  (:types place tile)
  (:predicates (at ?t - tile ?p - place) (free ?p - place) (next ?a ?b - place))
  (:action slide :parameters (?t - tile ?from ?to - place)
    :precondition (and (at ?t ?from) (free ?to) (next ?from ?to))
    :effect (and (not (at ?t ?from)) (not (free ?to)) (at ?t ?to) (free ?from))))
