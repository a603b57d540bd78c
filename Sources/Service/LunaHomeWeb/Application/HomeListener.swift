/// Somebody who is told what happens in a home.
public protocol HomeListener: AnyObject, Sendable {
  /// Something has happened. Events come one after the other; the next one waits until this returns.
  func home(_ application: LunaApplication, told event: HomeEvent) async
}
