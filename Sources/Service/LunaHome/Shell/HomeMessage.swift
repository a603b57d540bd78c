/// A message that a rule wants to be sent, with what its text may name.
package struct HomeMessage: Sendable {
  /// What is to be done: `notify` or `webhook`, its parameters, level, recipients and cause.
  package let request: HomeActionRequest
  /// How people call the rule.
  package let rule: String
  /// How people call the tracker of the trigger; nil for none.
  package let tracker: String?
  /// How people call the place of the trigger; nil for none.
  package let place: String?

  package init(
    request: HomeActionRequest, rule: String, tracker: String?, place: String?
  ) {
    self.request = request
    self.rule = rule
    self.tracker = tracker
    self.place = place
  }
}
