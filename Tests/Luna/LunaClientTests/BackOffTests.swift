import LunaCore
import LunaTesting
import Testing

@Suite struct BackOffTests {
  /// Gives the largest number each time, so that the longest waits show.
  private struct Largest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
  }

  /// Not 0, which the standard library may throw away and ask again.
  private struct Smallest: RandomNumberGenerator {
    mutating func next() -> UInt64 { 1 << 32 }
  }

  @Test func longestWaitDoublesUpToTheCap() {
    var backOff = BackOff(base: .seconds(1), cap: .seconds(10))
    var generator = Largest()
    let waits = (0..<6).map { _ in backOff.fail(using: &generator) }
    #expect(waits == [1, 2, 4, 8, 10, 10].map { Duration.seconds($0) })
  }

  @Test func jitterIsFull() {
    var backOff = BackOff(base: .seconds(8), cap: .seconds(8))
    var generator = Smallest()
    #expect(backOff.fail(using: &generator) == .zero)
    var random = Seeded(1)
    let waits = (0..<200).map { _ in backOff.fail(using: &random) }
    #expect(waits.allSatisfy { $0 >= .zero && $0 <= .seconds(8) })
    #expect(waits.contains { $0 < .seconds(2) } && waits.contains { $0 > .seconds(6) })
  }

  @Test func whatIsAskedForIsWaitedForAtLeast() {
    var backOff = BackOff(base: .seconds(1), cap: .seconds(10))
    var generator = Largest()
    #expect(backOff.fail(retryAfter: 30, using: &generator) == .seconds(31))
    // A backend that asks for a year is not obeyed.
    #expect(backOff.fail(retryAfter: 31_536_000, using: &generator) == .seconds(3602))
  }

  @Test func successStartsAnew() {
    var backOff = BackOff(base: .seconds(1), cap: .seconds(1000))
    var generator = Largest()
    for _ in 0..<5 { _ = backOff.fail(using: &generator) }
    backOff.succeed()
    #expect(backOff.failures == 0)
    #expect(backOff.fail(using: &generator) == .seconds(1))
  }

  @Test func manyFailuresDoNotOverflow() {
    var backOff = BackOff()
    var generator = Largest()
    for _ in 0..<100 { #expect(backOff.fail(using: &generator) <= .seconds(300)) }
  }
}
