import Foundation
import LunaCore
import LunaCrypto
import LunaStore
import LunaTesting
import Testing

/// Secrets in files of their own.
struct SecretFileTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func bytes(_ secret: SecretBytes) -> [UInt8] {
    secret.withBytes { span in span.indices.map { span[$0] } }
  }

  @Test func lastsAndIsNobodyElses() throws {
    let first = bytes(try place.state.secret("k", count: 32))
    #expect(first.count == 32 && Set(first).count > 1)
    #expect(bytes(try place.state.secret("k", count: 32)) == first)
    #expect(bytes(try place.state.secret("other", count: 32)) != first)
    #expect(try place.mode(place.state.path + "/k") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.state.path).sorted() == [
        "k", "other",
      ])
  }

  @Test func isTheSameForThreadsThatAskAtOnce() async throws {
    let state = place.state
    for round in 0..<20 {
      let all = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 {
          group.addTask {
            try state.secret("k\(round)", count: 32).withBytes { span in
              span.indices.map { span[$0] }
            }
          }
        }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(all.count == 1)
    }
  }

  @Test(arguments: [Data(), Data(count: 31), Data(count: 33)])
  func isNotWhatSomebodyElseWrote(data: Data) throws {
    _ = try place.state.secret("other", count: 32)
    try data.write(to: URL(fileURLWithPath: place.state.path + "/k"))
    let error = #expect(throws: DeviceStoreError.self) {
      try place.state.secret("k", count: 32)
    }
    #expect(error?.kind == .damaged)
  }

  @Test func saysWhyThereIsNone() {
    #expect(throws: DeviceStoreError.self) {
      try StateDirectory(path: "/proc/none").secret("k", count: 32)
    }
  }
}
