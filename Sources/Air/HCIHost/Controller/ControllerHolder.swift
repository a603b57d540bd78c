/// Who has a controller and lets others use it for a while, such as a scan.
package protocol ControllerHolder: Actor {
  /// Whether there is a controller that answers, as far as is known.
  var isUsable: Bool { get }

  /// Lets the controller be used for links until ``release()``.
  ///
  /// - Parameter reason: told to whoever watches.
  /// - Returns: the controller; nil when it is gone, or does not answer.
  func hold(_ reason: String) async -> HCIController?

  /// Ends what ``hold(_:)`` began.
  func release()
}
