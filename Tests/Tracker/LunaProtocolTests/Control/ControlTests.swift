import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

struct ControlTests {
  private let counter: UInt32 = 1_700_000_100

  @Test func oneOfTheDayIsExecutedOnce() throws {
    var control = try ControlAuthenticator()
    let keys = try Anchor.keys()
    let packages = try control.deferredPackages(
      .buzzStart, argument: 10, counter: counter,
      periods: PeriodRange(first: Anchor.period, last: Anchor.period + 84), keys: keys)
    #expect(packages.count == 85)
    #expect(Set(packages.map(\.heid)).count == 85)
    var lastCounter: UInt32 = 0
    var executed = 0
    for period in Anchor.period...Anchor.period + 84 {
      for package in packages {
        let verdict = control.judge(
          package.bytes.span, keys: keys,
          in: ControlSituation(
            periodOnAir: period, lastCounter: lastCounter, clock: 1_700_000_130))
        if verdict.execution != nil { executed += 1 }
        lastCounter = verdict.lastCounter
        guard Int64(package.reference) - Int64(period) == 0 else { continue }
        #expect(verdict.status == (period == Anchor.period ? .done : .stale))
        let receipt = try control.verify(verdict.receipt.span, for: package, keys: keys)
        #expect(receipt.status == verdict.status)
      }
    }
    #expect(executed == 1)
    #expect(lastCounter == counter)
  }

  @Test func setClockTakesTheTimeOfTheCounter() throws {
    var control = try ControlAuthenticator()
    let keys = try Anchor.keys()
    var random = Seeded(14)
    let challenge = ControlChallenge(nonce: random.inline(), onAir: Anchor.period)
    #expect(challenge.clockHint == 1_699_999_744)
    // Times on the wire end with their 32 bits, and do not wrap.
    let last: [UInt32] = [4_194_303, 4_194_304, .max]
    let hints = last.map { ControlChallenge(nonce: challenge.nonce, onAir: $0).clockHint }
    #expect(hints == [4_294_966_272, .max, .max])
    #expect(ControlChallenge(challenge.encoded.span)?.clockHint == challenge.clockHint)
    let package = try control.interactivePackage(
      .setClock, argument: 0, counter: counter, challenge: challenge, keys: keys)
    let verdict = control.judge(
      package.bytes.span, keys: keys,
      in: ControlSituation(
        periodOnAir: Anchor.period, lastCounter: 5, clock: 77, challenge: challenge))
    #expect(verdict.status == .done && verdict.clock == counter)
    #expect(verdict.execution?.command == .setClock)
    let receipt = try control.verify(verdict.receipt.span, for: package, keys: keys)
    #expect(receipt.clock == counter)
  }

  @Test func whoLacksABranchCannotCommand() throws {
    var control = try ControlAuthenticator()
    var keys = try Anchor.keys()
    keys.owner = nil
    let challenge = ControlChallenge(nonce: InlineArray(repeating: 1), clockHint: 0)
    #expect(throws: MissingBranchError.owner) {
      try control.interactivePackage(
        .ping, argument: 0, counter: 1, challenge: challenge, keys: keys)
    }
    keys.control = nil
    #expect(throws: MissingBranchError.control) {
      try control.deferredPackage(.ping, argument: 0, counter: 1, period: 1, keys: keys)
    }
    keys.location = nil
    #expect(throws: MissingBranchError.location) {
      try control.deferredPackage(.ping, argument: 0, counter: 1, period: 1, keys: keys)
    }
  }

  @Test func shortAnswersProveNothing() throws {
    var control = try ControlAuthenticator()
    let keys = try Anchor.keys()
    let package = try control.deferredPackage(
      .ping, argument: 0, counter: 1, period: Anchor.period, keys: keys)
    let empty: [UInt8] = []
    for count in 0..<40 where count != Receipt.byteCount {
      let answer = [UInt8](repeating: 0, count: count)
      #expect(throws: count == 5 ? ReceiptRejection.unauthenticated : .length) {
        try control.verify(answer.span, for: package, keys: keys)
      }
    }
    let verdict = control.judge(
      empty.span, keys: keys,
      in: ControlSituation(periodOnAir: Anchor.period, lastCounter: 0, clock: 0))
    #expect(verdict.receipt == [7, 0, 0, 0, 0])
  }

  @Test func alteredPackagesAreNeverExecuted() throws {
    var control = try ControlAuthenticator()
    let keys = try Anchor.keys()
    let package = try control.deferredPackage(
      .buzzStart, argument: 10, counter: counter, period: Anchor.period, keys: keys)
    for index in 0..<ControlPackage.byteCount {
      for bit in 0..<8 {
        var bytes = array(package.bytes)
        bytes[index] ^= 1 << bit
        let verdict = control.judge(
          bytes.span, keys: keys,
          in: ControlSituation(periodOnAir: Anchor.period, lastCounter: 0, clock: 0))
        #expect(verdict.execution == nil && verdict.lastCounter == 0)
        #expect(verdict.receipt.count == Receipt.shortByteCount)
      }
    }
  }

  @Test func textsOfPackages() throws {
    var control = try ControlAuthenticator()
    let package = try control.deferredPackage(
      .buzzStart, argument: 10, counter: counter, period: Anchor.period, keys: try Anchor.keys())
    #expect(package.text.count == 60)
    #expect(ControlPackage(package.text) == package)
    #expect(ControlPackage(String(package.text.dropLast(4))) == nil)
    #expect(package.command == .buzzStart && package.argument == 10)
    #expect(package.heid == Anchor.heid && package.counter == counter)
    #expect(ControlCommand.allCases.map(\.name).contains("factoryReset"))
  }

  @Test func countersGrow() {
    #expect(ControlCounter.next(after: 0, unixTime: 1_700_000_000) == 1_700_000_000)
    #expect(ControlCounter.next(after: 1_700_000_000, unixTime: 1_700_000_000) == 1_700_000_001)
    #expect(ControlCounter.next(after: 0, unixTime: 0) == 1)
    #expect(ControlCounter.next(after: 0, unixTime: .max) == ControlCounter.largest)
    #expect(ControlCounter.next(after: ControlCounter.largest - 1, unixTime: 0) == 0xFFFF_FFFE)
    #expect(ControlCounter.next(after: ControlCounter.largest, unixTime: 0) == nil)
    #expect(ControlCounter.next(after: .max, unixTime: 0) == nil)
  }
}
