import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import Synchronization
import Testing

struct RemoteCommandTests {
  private static let now = Timestamp(microseconds: 1_795_255_200_000_000)
  private let backend = FakeOwnerBackend()
  private let device = Samples.device(3)

  private func owner() -> LunaOwner {
    LunaOwner(store: InMemoryDeviceStore(devices: [device]), backend: backend)
  }

  private func sent() async throws -> RemoteCommand {
    try await owner().sendRemotely(
      .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(86_400))
  }

  /// What the tracker would answer.
  private func receipt(
    _ package: ControlPackage, _ status: ControlStatus = .done
  ) throws -> [UInt8] {
    var schedule = try KeySchedule()
    var authenticator = try ControlAuthenticator()
    let keys = schedule.keys(of: try #require(device.masterKey))
    let bytes = try authenticator.receipt(
      for: package, status: status, clock: 1_795_255_300, keys: keys)
    return bytes.indices.map { bytes[$0] }
  }

  @Test func leavesPackagesForTheComingHours() async throws {
    let command = try await sent()
    // 85 for the day, and 37 because its clock was not heard for three years.
    #expect(command.packages.count == 122)
    #expect(Set(command.packages.map(\.counter)).count == 1)
    #expect(backend.state.withLock { $0.packages } == command.packages)
    #expect(
      command.status.expiresAt
        == Timestamp(microseconds: Self.now.microseconds + 86_400_000_000))
    #expect(!command.isFinal)
    #expect(try await owner().followed(command).receipt == nil)
  }

  @Test func verifiesTheReceipt() async throws {
    let command = try await sent()
    let package = command.packages[3]
    backend.confirm(command.requestID, package.heid, try receipt(package))
    let followed = try await owner().followed(command)
    #expect(followed.isFinal)
    #expect(followed.isProven)
    #expect(try followed.receipt?.get().clock == 1_795_255_300)
  }

  @Test func passesOnHowLongTheAnswerMayTake() async throws {
    let command = try await sent()
    _ = try await owner().followed(command, within: .seconds(3))
    _ = try await owner().followed(command)
    #expect(backend.state.withLock { $0.limits } == [.seconds(3), nil])
  }

  @Test func believesNoForgery() async throws {
    let command = try await sent()
    let package = command.packages[3]
    var forged = try receipt(package)
    forged[16] ^= 1
    backend.confirm(command.requestID, package.heid, forged)
    var followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.auth))
    #expect(!followed.isProven)
    // The receipt of another period's package.
    backend.confirm(
      command.requestID, command.packages[4].heid, try receipt(package))
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.auth))
    backend.confirm(command.requestID, HEID(high: 1, low: 1), try receipt(package))
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.unverifiable))
    backend.confirm(command.requestID, package.heid, [0, 0, 0, 0, 0])
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.unauthenticated))
  }

  @Test func tellsWhatTheTrackerRefused() async throws {
    let command = try await sent()
    let package = command.packages[0]
    backend.confirm(command.requestID, package.heid, try receipt(package, .stale))
    let followed = try await owner().followed(command)
    #expect(try followed.receipt?.get().status == .stale)
    #expect(!followed.isProven)
  }

  @Test func takesACommandBack() async throws {
    let command = try await sent()
    try await owner().cancel(command)
    #expect(backend.state.withLock { $0.cancelled } == [command.requestID])
  }

  @Test func needsABackend() async {
    let error = await #expect(throws: OwnerError.self) {
      try await LunaOwner(store: InMemoryDeviceStore(devices: [device])).sendRemotely(
        .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(60))
    }
    #expect(error?.kind == .noBackend)
  }
}
