import Glibc
import LunaCore
import LunaCrypto
import LunaStore
import LunaTesting
import Testing

@testable import LunaAccount

@Suite struct GatewayKeyTests {
  private let state = TemporaryState()

  private var path: String { "\(state.path)/gateway/gateway.key" }
  private var directory: StateDirectory { StateDirectory(path: "\(state.path)/gateway") }

  @Test func isMadeOnceAndReadByItsOwnerAlone() async throws {
    let key = try await GatewayKey(in: directory)
    #expect(key.privateKey.count == Ed25519.keyCount)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let again = try await GatewayKey(in: directory)
    #expect(again.print == key.print)
    #expect(again.privateKey == key.privateKey)
  }

  @Test func allWhoMakeItAtOnceHaveTheSame() async throws {
    let prints = try await withThrowingTaskGroup(of: GatewayPrint.self) { [directory] group in
      for _ in 0..<8 { group.addTask { try await GatewayKey(in: directory).print } }
      var prints: Set<GatewayPrint> = []
      for try await print in group { prints.insert(print) }
      return prints
    }
    #expect(prints.count == 1)
  }

  @Test func whatIsNoKeyStaysAsItIs() async throws {
    try directory.create(for: "gateway.key")
    try #require(mkfifo(path, 0o600) == 0)
    await #expect(throws: DeviceStoreError.self) { try await GatewayKey(in: directory) }
    try #require(unlink(path) == 0 && symlink("/dev/null", path) == 0)
    await #expect(throws: DeviceStoreError.self) { try await GatewayKey(in: directory) }
    try #require(unlink(path) == 0 && symlink("/proc/self/status", path) == 0)
    let error = await #expect(throws: DeviceStoreError.self) {
      try await GatewayKey(in: directory)
    }
    #expect(error?.kind == .damaged)
  }
}
