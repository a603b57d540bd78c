package import LunaCore
package import LunaHome

/// What the `luna` command does its own way.
package struct ApplicationParts: Sendable {
  /// Gives the bytes of the file.
  package var read: @Sendable (String) async throws -> [UInt8]
  /// Takes messages, as the file wants it.
  package var logger: @Sendable (HomeFile) -> any Logger
  /// Says something to who looks after the machine.
  package var warn: @Sendable (String) -> Void = { _ in }
  /// Gives the texts of the QR codes in a picture, a line each.
  package var readPicture: HomeWebServer.PictureReading = { _, _ in [] }
  /// Whether all of it is made up: then nobody is told anything.
  package var isSimulated = false

  package init(
    read: @escaping @Sendable (String) async throws -> [UInt8],
    logger: @escaping @Sendable (HomeFile) -> any Logger
  ) {
    self.read = read
    self.logger = logger
  }
}
