import Foundation
import Glibc
import LunaTesting

/// A real broker: mosquitto on a port of this machine, with its configuration in a directory of its own.
final class Broker {
  let directory: String
  let port: Int
  private var process: TestProgram?
  private let configuration: String

  /// - Parameters:
  ///   - lines: of the configuration, behind the port; `DIR` stands for the directory.
  ///   - prepare: writes files into the directory.
  init(_ lines: [String] = ["allow_anonymous true"], prepare: (String) throws -> Void = { _ in })
    throws
  {
    directory = NSTemporaryDirectory() + "luna-broker-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try prepare(directory)
    port = Int(freePort())
    configuration = "\(directory)/mosquitto.conf"
    // Otherwise it gives up root for a user who may not read the directory.
    let head = ["listener \(port) 127.0.0.1", "user root"]
    try (head + lines.map { $0.replacingOccurrences(of: "DIR", with: directory) })
      .joined(separator: "\n").write(toFile: configuration, atomically: true, encoding: .utf8)
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Starts it, and returns when it listens.
  func start() throws {
    process = try TestProgram(["/usr/sbin/mosquitto", "-c", configuration])
    try blockUntil { Broker.answers(port) }
  }

  /// Ends it without a word.
  func kill() {
    process?.end()
    process = nil
  }

  /// Makes an authority, and certificates for this machine and a client, signed by it.
  static func makeCertificates(in directory: String) throws {
    let script = """
      cd "$1" && exec 2>/dev/null
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
      for name in localhost client; do
        openssl req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
        printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > $name.ext
        openssl x509 -req -days 2 -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
          -extfile $name.ext -out $name.pem
      done
      """
    _ = try TestProgram.run(["/bin/sh", "-c", script, "sh", directory])
  }

  /// Writes the file of passwords for `luna` with the password `secret`.
  static func makePasswords(in directory: String) throws {
    _ = try TestProgram.run(
      ["/usr/bin/mosquitto_passwd", "-b", "-c", directory + "/passwords", "luna", "secret"])
  }

  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
