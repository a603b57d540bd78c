import LunaClient
import LunaHome
import Testing

@testable import LunaNotify

/// The queue as a value: grouping, digests, quiet hours, pauses.
struct OutboxTests {
  /// Always the largest number: the longest pauses.
  private struct Longest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
  }

  private static let second = Homes.second
  private var dice = Longest()
  private var outbox = Outbox(Homes.configuration().notifications)
  private var now = Homes.noon

  /// Sends whatever can go out now.
  private mutating func send(_ outcome: DeliveryOutcome = .delivered) -> [[Int64]] {
    var sent: [[Int64]] = []
    while case .send(let shipment) = outbox.next(at: now) {
      sent.append(shipment.ids)
      _ = outbox.ended(shipment, outcome, at: now, using: &dice)
    }
    return sent
  }

  @Test mutating func theFirstGoesAtOnceAndTheNextTogether() {
    outbox.add(Homes.entry(1, at: now))
    #expect(send() == [[1]])
    now += 5 * Self.second
    outbox.add(Homes.entry(2, at: now))
    outbox.add(Homes.entry(3, at: now))
    // Another rule, another contact and another level are not held up.
    outbox.add(Homes.entry(4, at: now, rule: "other"))
    outbox.add(Homes.entry(5, at: now, contact: "me"))
    outbox.add(Homes.entry(6, at: now, level: .alarm))
    #expect(send() == [[4], [5], [6]])
    #expect(outbox.next(at: now) == .wait(until: now + 25 * Self.second))
    now += 25 * Self.second
    #expect(send() == [[2, 3]])
    #expect(outbox.count == 0)
  }

  /// A file is for one person: it goes alone, and nothing holds it.
  @Test mutating func filesGoAlone() {
    for id in Int64(1)...40 { outbox.add(Homes.entry(id, at: now, rule: "rule\(id)")) }
    for id in Int64(41)...43 {
      var entry = Homes.entry(id, at: now, rule: "share", contact: "")
      entry.message.enclosure = Message.Enclosure(
        person: "Ben", address: "ben@example.org", name: "a.lunashare", content: "AAAA")
      outbox.add(entry)
    }
    #expect(send() == (Array(1...30) + [41, 42, 43]).map { [Int64($0)] })
  }

  /// Servers refuse a longer field of a head, and with it all that it came with.
  @Test mutating func theListOfFiringsFitsIntoAField() {
    let rule = String(repeating: "r", count: 64)
    for id in Int64(1)...200 { outbox.add(Homes.entry(id, at: now, rule: rule)) }
    var sent: [[Int64]] = []
    for _ in 0..<3 {
      sent += send()
      now += 30 * Self.second
    }
    #expect(sent.flatMap(\.self) == Array(1...200))
    #expect(sent.allSatisfy { $0.count * (rule.utf8.count + 6) < 8000 })
  }

  @Test mutating func moreThanThirtyAnHourBecomeADigest() {
    for id in 1...40 { outbox.add(Homes.entry(Int64(id), at: now, rule: "rule\(id)")) }
    outbox.add(Homes.entry(41, at: now, rule: "fire", level: .alarm))
    let sent = send()
    #expect(sent == (1...30).map { [Int64($0)] } + [[41]])
    now += 3_599 * Self.second
    #expect(send() == [])
    now += Self.second
    guard case .send(let digest) = outbox.next(at: now) else {
      Issue.record("nothing was sent after an hour")
      return
    }
    #expect(digest.isDigest && digest.ids == Array(31...40))
  }

  /// As after a new start within quiet hours of several days.
  @Test mutating func whatQuietHoursHoldIsNotGivenUp() {
    // 23:00
    now += 11 * 3_600 * Self.second
    let yesterday = now - 25 * 3_600 * Self.second
    outbox.add(Homes.entry(1, at: yesterday, contact: "me"))
    outbox.add(Homes.entry(2, at: yesterday, contact: "you"))
    guard case .settle(let old) = outbox.next(at: now) else {
      Issue.record("nothing is given up")
      return
    }
    #expect(old.ids == [2])
    let morning = now + 8 * 3_600 * Self.second
    #expect(outbox.next(at: now) == .wait(until: morning))
    now = morning
    #expect(send() == [[1]])
  }

  @Test mutating func quietHoursDelayAndAlarmsPass() throws {
    // 23:00
    now += 11 * 3_600 * Self.second
    outbox.add(Homes.entry(1, at: now, contact: "me"))
    outbox.add(Homes.entry(2, at: now, rule: "other", contact: "me"))
    outbox.add(Homes.entry(3, at: now, contact: "you"))
    outbox.add(Homes.entry(4, at: now, contact: "me", level: .alarm))
    #expect(send() == [[3], [4]])
    let morning = now + 8 * 3_600 * Self.second
    #expect(outbox.next(at: now) == .wait(until: morning))
    now = morning
    guard case .send(let digest) = outbox.next(at: now) else {
      Issue.record("nothing was sent in the morning")
      return
    }
    #expect(digest.isDigest && digest.ids == [1, 2])
  }

  @Test mutating func pausesGrowUpToAnHour() {
    outbox.add(Homes.entry(1, at: now))
    var pauses: [Int64] = []
    for _ in 0..<14 {
      #expect(send(.failed("no answer", retryAfter: nil)) == [[1]])
      guard case .wait(let time) = outbox.next(at: now) else { break }
      pauses.append((time - now) / Self.second)
      now = time
    }
    #expect(pauses.prefix(4) == [5, 10, 20, 40])
    #expect(pauses.max() == 3_600)
  }

  @Test mutating func whatAServerAsksForIsWaitedFor() {
    outbox.add(Homes.entry(1, at: now))
    outbox.add(Homes.entry(2, at: now, rule: "other"))
    // The other one does not go to a server that asked for a pause either.
    #expect(send(.failed("429", retryAfter: .seconds(120))) == [[1]])
    guard case .wait(let time) = outbox.next(at: now) else {
      Issue.record("it did not wait")
      return
    }
    #expect(time >= now + 120 * Self.second)
    now = time
    #expect(send() == [[2], [1]])
  }

  @Test mutating func oneThatFailsLetsOthersPass() {
    outbox.add(Homes.entry(1, at: now))
    var delivered: Set<Int64> = []
    for round in 0..<20 {
      outbox.add(Homes.entry(Int64(10 + round), at: now, rule: "rule\(round)"))
      for _ in 0..<3 {
        switch outbox.next(at: now) {
        case .send(let shipment):
          let isBad = shipment.ids == [1]
          if !isBad { delivered.formUnion(shipment.ids) }
          _ = outbox.ended(
            shipment, isBad ? .failed("451", retryAfter: nil) : .delivered, at: now, using: &dice)
        case .wait(let time): now = min(time, now + 60 * Self.second)
        default: break
        }
      }
    }
    #expect(delivered.count >= 15)
  }

  @Test mutating func afterADayItIsGivenUp() {
    outbox.add(Homes.entry(1, at: now))
    _ = send(.failed("no answer", retryAfter: nil))
    now += 24 * 3_600 * Self.second
    guard case .settle(let settlement) = outbox.next(at: now) else {
      Issue.record("it was not given up")
      return
    }
    #expect(settlement.ids == [1] && settlement.state == .failed)
    #expect(settlement.reason.hasSuffix("no answer"))
    #expect(outbox.next(at: now) == .rest)
  }

  @Test mutating func ofVeryManyTheOldestAreGivenUp() {
    outbox.add(Homes.entry(1, at: now, level: .alarm))
    for id in 2...2_003 { outbox.add(Homes.entry(Int64(id), at: now)) }
    guard case .settle(let settlement) = outbox.next(at: now) else {
      Issue.record("all of them wait")
      return
    }
    #expect(settlement.ids == [2, 3, 4] && settlement.state == .failed)
    #expect(outbox.count == 2_000)
  }

  @Test mutating func aRefusedOneIsPutAside() {
    outbox.add(Homes.entry(1, at: now))
    guard case .send(let shipment) = outbox.next(at: now) else {
      Issue.record("nothing is sent")
      return
    }
    let settlement = outbox.ended(shipment, .refused("550"), at: now, using: &dice)
    #expect(settlement.state == .failed && settlement.reason == "550")
    #expect(outbox.count == 0)
  }

  @Test mutating func oneFlightOfAChannel() {
    outbox.add(Homes.entry(1, at: now))
    outbox.add(Homes.entry(2, at: now, rule: "other"))
    guard case .send = outbox.next(at: now) else {
      Issue.record("nothing was sent")
      return
    }
    #expect(outbox.next(at: now) == .rest)
  }

  @Test mutating func whatWentOutBeforeARestartCounts() {
    for id in 1...30 {
      outbox.remember(
        Homes.entry(Int64(id), at: now - 60 * Self.second), sentAt: now - Int64(100 - id))
    }
    outbox.add(Homes.entry(31, at: now, rule: "other"))
    #expect(send() == [])
    guard case .wait(let time) = outbox.next(at: now) else {
      Issue.record("it did not wait")
      return
    }
    #expect(time == now - 99 + 3_600 * Self.second)
  }

  @Test mutating func aClockThatWasSetBackHoldsNothingUp() {
    outbox.add(Homes.entry(1, at: now))
    _ = send(.failed("no answer", retryAfter: nil))
    now -= 86_400 * Self.second
    #expect(send() == [[1]])
  }
}
