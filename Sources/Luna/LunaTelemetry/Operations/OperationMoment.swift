/// What is looked at when an operation begins or ends.
struct OperationMoment: Hashable, Sendable {
  /// Time in which the machine was awake.
  var awake: Duration
  /// Time in which it slept.
  var asleep: Duration
  /// How often each phase has come.
  var phases: [LifecyclePhase: Int]
}
