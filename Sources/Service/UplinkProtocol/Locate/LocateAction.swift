/// What is to be done where a server is located.
package enum LocateAction: Hashable, Sendable {
  /// Ask the service.
  case get(url: String)
  /// Open the access to a machine.
  case open(LocatedMachine)
  /// It is located; its access stays open to the end.
  case located(LocatedMachine)
  /// None is.
  case failed(LocateError)
}
