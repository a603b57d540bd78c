import Testing

@testable import LunaDoctor

/// The numbers behind the names that distributions give their kernels.
struct KernelReleaseTests {
  @Test(arguments: [
    ("6.1.0-18-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)", "", [6, 1, 76], nil),
    ("6.8.0-31-generic", "#31-Ubuntu SMP", "Ubuntu 6.8.0-31.31-generic 6.8.1", [6, 8, 1], nil),
    ("6.12.47+rpt-rpi-v8", "#1 SMP PREEMPT", "", [6, 12, 47], nil),
    ("7.1.0-rc3", "#1 SMP", "", [7, 1, 0], 3),
    (
      "7.1-rc4-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 7.1~rc4-1~exp1 (2026-05-20)", "", [7, 1, 0], 4
    ),
    ("5.10", "", "", [5, 10, 0], nil),
  ])
  func readsNumbers(
    name: String, version: String, signature: String, numbers: [Int], candidate: Int?
  ) throws {
    let release = try #require(KernelRelease(name, version: version, signature: signature))
    #expect([release.major, release.minor, release.patch] == numbers)
    #expect(release.candidate == candidate)
    #expect(release.name == name)
  }

  @Test(arguments: ["", "linux", "6", "x.y.z"])
  func refusesWhatIsNone(name: String) { #expect(KernelRelease(name) == nil) }

  @Test func comparesByNumber() throws {
    let release = try #require(KernelRelease("6.9.12"))
    #expect(release.isWithin([6, 2, 0], [6, 10, 0]))
    #expect(release.isWithin([6, 9, 12], [6, 9, 13]))
    #expect(!release.isWithin([6, 9, 13], [7, 0, 0]))
    #expect(!release.isWithin([6, 2, 0], [6, 9, 12]))
  }
}
