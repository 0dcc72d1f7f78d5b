; A button switches its own light and those next to it.
(define (domain lights)
  (:requirements :adl)
  (:types light)
  (:predicates (on ?l - light) (next ?a ?b - light))
  (:action press :parameters (?l - light)
    :precondition (and)
    :effect (forall (?m - light) (and
      (when (and (or (= ?l ?m) (next ?l ?m)) (on ?m)) (not (on ?m)))
      (when (and (or (= ?l ?m) (next ?l ?m)) (not (on ?m))) (on ?m))))))
