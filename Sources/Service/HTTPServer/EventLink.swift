import CMicroHTTPD

/// The connection that a stream of events goes over.
struct EventLink: @unchecked Sendable {
  private let connection: OpaquePointer
  private let watch: ConnectionWatch
  private let activity: Activity
  /// The library gives the place of one that is gone to another one.
  private let number: Int

  init(_ connection: OpaquePointer, _ watch: ConnectionWatch, _ activity: Activity) {
    self.connection = connection
    number = watch.number(of: UInt(bitPattern: connection)) ?? 0
    self.watch = watch
    self.activity = activity
  }

  func suspend() { cmhd_suspend(connection) }

  /// Whoever takes a suspended connection resumes it a moment later: the server does not stop before.
  func willResume() { activity.begin() }

  func resume() {
    cmhd_resume(connection)
    activity.end()
  }

  /// Ends the connection without waiting for the client.
  func cut() { watch.cut(UInt(bitPattern: connection), number) }

  /// Whether the client has closed the connection.
  var isAbandoned: Bool { watch.isAbandoned(UInt(bitPattern: connection), number) }
}
