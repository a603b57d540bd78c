import UplinkProtocol

/// An inspection of the fields of an upload, on a thread that may wait (UPLINK.md, 10).
struct FieldRun {
  /// For how many slots there is data: probes are usually decided by two.
  static let slots = Inspection.least + 3 * InspectedField.allCases.count

  let client: PairClient
  /// Where the same server listens as well; nil for nowhere.
  let otherPort: UInt16?
  var tally = SlotTally()
  let tell: @Sendable (PairClient.Moment) -> Void

  /// Makes it.
  func run(
    _ inspection: Inspection, _ waiting: SocketWait
  ) throws(ReplayError) -> InspectionOutcome {
    let wanted = max(PairRun.least, client.budget / FieldRun.slots)
    let hello = SessionRequest.hello(
      version: 1, profile: BuiltInProfile.upload.rawValue, direction: SlotDirection.up.rawValue,
      pairs: FieldRun.slots, slotBytes: wanted, slotSeconds: 1.5)
    let (link, allowed) = try HostLink.begin(client, .upload, hello, waiting, tell: tell)
    // What is said at the end, or before an end that nobody wanted.
    defer { tally.add(link.spent()) }
    let most = min(client.budget, allowed)
    let bytes = min(wanted, max(PairRun.least, most / FieldRun.slots))
    var outcome = InspectionOutcome(inspection)
    while let subject = outcome.inspection.next {
      let kind: SlotKind = subject == .control ? .control : .original
      let order = SlotOrder(outcome.slots + 1, kind, .up, bytes: size(of: subject, bytes))
      guard outcome.bytes + order.bytes <= most else {
        outcome.inspection.endForBudget()
        break
      }
      tell(
        .slot(
          kind, done: outcome.inspection.probes, of: InspectedField.allCases.count,
          left: most - outcome.bytes))
      let token = try link.token(for: order)
      tally.begin()
      var run = SlotRun(
        place: client.place, order: order, token: token, name: name(for: subject),
        waiting: waiting, change: change(for: subject))
      run.tally = tally
      let record = try run.run()
      tally.add(record.carried)
      try link.end(order.number)
      let said = link.spent()
      tally.add(said)
      outcome.take(record.carrying(more: said))
    }
    link.leave()
    return outcome
  }

  /// Half the bytes where size is probed, and twice as many where half is too few for a slot.
  func size(of subject: Inspection.Subject, _ bytes: Int) -> Int {
    guard subject == .probe(.field(.size)) else { return bytes }
    return bytes / 2 >= PairRun.least ? bytes / 2 : bytes * 2
  }

  func name(for subject: Inspection.Subject) -> String? {
    switch subject {
    case .control, .probe(.field(.sni)): client.controlName
    case .original, .probe: client.place.name
    }
  }

  func change(for subject: Inspection.Subject) -> SlotChange {
    var change = SlotChange()
    switch subject {
    case .probe(.field(.alpn)): change.speaking = nil
    case .probe(.field(.tlsVersion)): change.isOlder = true
    case .probe(.field(.port)): change.port = otherPort
    case .original, .control, .probe: break
    }
    return change
  }
}
