import Glibc
import Testing
import UplinkProtocol

struct DetectionPowerTests {
  @Test func quietLinksShowEverythingLarge() throws {
    let power = try DetectionPower(
      [0.05, -0.04, 0.02, 0, -0.03, 0.06, -0.01, 0.03, -0.05, -0.02], plan: .standard, seed: 1)
    #expect(power.shares.count == DetectionPower.factors.count)
    // 1.25 itself is the limit: about half of the means are above it.
    #expect((0.3...0.8).contains(power.shares[0]))
    #expect(power.shares[1...] == [1, 1, 1] && power.detectable == 1.5)
  }

  @Test func loudLinksShowLess() throws {
    var generator = SplitMix64(seed: 5)
    let differences = (0..<16).map { _ in Double.random(in: -2...2, using: &generator) }
    let power = try DetectionPower(differences, plan: .standard, seed: 1)
    #expect(power.shares == power.shares.sorted())
    #expect(power.shares[1] < 0.5 && power.detectable != 1.5)
    #expect(try DetectionPower(differences, plan: .standard, seed: 1) == power)
  }
}
