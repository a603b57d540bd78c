import Synchronization

extension Remedy {
  private static let names = Mutex<(@Sendable (Step) -> String?)?>(nil)

  /// Has a front end name steps in its own terms, for the whole process: what a library writes into a
  /// log or an event is read by the same people. To be called once, before anything can fail.
  ///
  /// - Parameter name: the name of a step, to stand in a sentence; nil for the plain words.
  public static func nameSteps(_ name: @escaping @Sendable (Step) -> String?) {
    names.withLock { $0 = name }
  }

  static func name(of step: Step) -> String? {
    let name = names.withLock { $0 }
    return name?(step)
  }
}
