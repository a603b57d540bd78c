import Bluetooth
import Diagnosis
import LunaCore
import Testing

@testable import LunaBackend

@Suite("How a gateway is")
struct HealthRulesTests {
  private func report(_ change: (inout HealthReport) -> Void = { _ in }) -> HealthReport {
    var report = HealthReport()
    report.uptime = 100_000
    report.adapters = [AdapterHealth(id: "hci0", state: .scanning)]
    change(&report)
    return report
  }

  private func codes(
    _ report: HealthReport, past: HealthRules.Past = .init(), hasPosition: Bool? = nil
  ) -> [HealthReason.Code] {
    HealthRules.reasons(report, past: past, hasPosition: hasPosition).map(\.code)
  }

  @Test("A gateway of which nothing is wrong is ok")
  func ok() {
    #expect(codes(report()).isEmpty)
    #expect(HealthRules.verdict([]) == .ok)
    #expect(codes(HealthReport()).isEmpty)
  }

  @Test("Each limit, from both sides")
  func limits() {
    let cases: [(HealthReason.Code, (inout HealthReport) -> Void, (inout HealthReport) -> Void)] = [
      (.noPackets, { $0.silentSeconds = 300 }, { $0.silentSeconds = 301 }),
      (.outageShort, { $0.outageHoursLeft = 24 }, { $0.outageHoursLeft = 23.9 }),
      (.diskFull, { $0.diskFreeMiB = 200 }, { $0.diskFreeMiB = 199 }),
      (.queueOld, { $0.queueOldestSeconds = 900 }, { $0.queueOldestSeconds = 901 }),
      (
        .clockOff, { $0.clockOffsetMilliseconds = -30_000 },
        { $0.clockOffsetMilliseconds = -30_001 }
      ),
      (.hot, { $0.temperature = 79.9 }, { $0.temperature = 80 }),
      (.hot, { $0.throttled = false }, { $0.throttled = true }),
      (.uplink, { $0.uplinkVerdict = "fair" }, { $0.uplinkVerdict = "throttled" }),
      (.uplink, { $0.uplinkVerdict = "unknown" }, { $0.uplinkVerdict = "prioritised" }),
      (.uplink, { $0.uplinkVerdict = "inconclusive" }, { $0.uplinkVerdict = "blocked" }),
      (.locationStale, { $0.locationState = .unknown }, { $0.locationState = .stale }),
      (
        .adapterLost, { $0.adapters = [] },
        { $0.adapters = [AdapterHealth(id: "hci0", state: .lost)] }
      ),
      (
        .adapterOff, { $0.adapters = [AdapterHealth(id: "hci0", state: .idle)] },
        { $0.adapters = [AdapterHealth(id: "hci0", state: .off)] }
      ),
    ]
    for (code, good, bad) in cases {
      #expect(codes(report(good)).isEmpty, "\(code)")
      #expect(codes(report(bad)) == [code], "\(code)")
    }
  }

  @Test("Silence counts while it scans")
  func silence() {
    for state in AdapterHealth.State.allCases where state != .scanning {
      let silent = report {
        $0.adapters = [AdapterHealth(id: "hci0", state: state)]
        $0.silentSeconds = 10_000
      }
      #expect(!codes(silent).contains(.noPackets))
    }
  }

  @Test("An adapter that is off is a warning, also beside one that hears or has failed")
  func off() {
    let off = AdapterHealth(id: "hci1", state: .off)
    for state in [AdapterHealth.State.scanning, .lost] {
      let reasons = HealthRules.reasons(
        report { $0.adapters = [off, AdapterHealth(id: "hci0", state: state)] })
      let worse: [HealthReason.Code] = state == .lost ? [.adapterLost] : []
      #expect(reasons.map(\.code) == worse + [.adapterOff])
      #expect(reasons.last?.verdict == .warn)
      #expect(reasons.last?.diagnosis.reason.contains("hci1") == true)
    }
  }

  @Test("Every adapter that is off, or has failed, is named in one reason")
  func everyAdapter() throws {
    func reason(_ state: AdapterHealth.State, _ ids: [String]) throws -> String {
      let reasons = HealthRules.reasons(
        report {
          $0.adapters += ids.map { AdapterHealth(id: $0, state: state) }
        })
      #expect(reasons.count == 1)
      return try #require(reasons.first).diagnosis.reason
    }
    #expect(try reason(.off, ["hci1"]).contains("adapter hci1 is switched off, and hears nothing"))
    #expect(
      try reason(.off, ["hci1", "hci2"]).contains(
        "adapters hci1 and hci2 are switched off, and hear nothing"))
    #expect(
      try reason(.lost, ["hci1", "hci2", "hci3"]).contains(
        "adapters hci1, hci2 and hci3 have failed"))
  }

  @Test("Losses count while they rise")
  func losses() {
    let lossy = report { $0.eventsLost = 7 }
    #expect(codes(lossy).isEmpty)
    #expect(codes(lossy, past: .init(eventsLost: 7)).isEmpty)
    #expect(codes(lossy, past: .init(eventsLost: 6)) == [.eventsLost])
    // A queue that was made anew has lost nothing.
    #expect(codes(lossy, past: .init(eventsLost: 9)).isEmpty)
  }

  @Test("Three recoveries within an hour, also of a program that was started anew")
  func recoveries() {
    let shaky = report { $0.recoveries = 5 }
    #expect(codes(shaky).isEmpty)
    #expect(codes(shaky, past: .init(recoveries: 3)).isEmpty)
    #expect(codes(shaky, past: .init(recoveries: 2)) == [.recoveries])
    #expect(codes(shaky, past: .init(recoveries: 50)) == [.recoveries])
    let young = report {
      $0.recoveries = 3
      $0.uptime = 600
    }
    #expect(codes(young) == [.recoveries])
  }

  @Test("A position is missing only where that is known")
  func position() {
    #expect(codes(report(), hasPosition: nil).isEmpty)
    #expect(codes(report(), hasPosition: true).isEmpty)
    #expect(codes(report(), hasPosition: false) == [.noPosition])
  }

  @Test("The worst comes first, and each says what it is and what to do")
  func worst() {
    let reasons = HealthRules.reasons(
      report {
        $0.temperature = 90
        $0.diskFreeMiB = 0
        $0.queueOldestSeconds = 5000
      })
    #expect(reasons.map(\.code) == [.diskFull, .queueOld, .hot])
    #expect(HealthRules.verdict(reasons) == .bad)
    #expect(HealthRules.verdict(Array(reasons.dropFirst())) == .warn)
    for reason in reasons {
      #expect(!reason.diagnosis.reason.isEmpty && reason.diagnosis.remedy != nil)
    }
  }

  @Test(
    "States by age",
    arguments: [
      (Int64(0), GatewayState.online), (150, .online), (151, .late), (900, .late), (901, .offline),
      (-60, .online),
    ] as [(Int64, GatewayState)])
  func states(age: Int64, state: GatewayState) {
    let server = HealthRules.Server(startedAt: Samples.later(-100_000), stoppedAt: nil)
    #expect(
      HealthRules.state(seenAt: Samples.later(-age), server: server, at: Samples.now) == state)
    #expect(HealthRules.state(seenAt: nil, server: server, at: Samples.now) == .never)
    for number in [Int64.min, .max] {
      let seen = Timestamp(microseconds: number)
      #expect(HealthRules.state(seenAt: seen, server: server, at: Samples.now) == .never)
    }
  }

  @Test("A server that begins again blames nobody for its absence")
  func restart() {
    // Away for two hours, and back for a minute.
    let server = HealthRules.Server(
      startedAt: Samples.later(-60), stoppedAt: Samples.later(-7260))
    func state(_ age: Int64) -> GatewayState {
      HealthRules.state(seenAt: Samples.later(-age), server: server, at: Samples.now)
    }
    #expect(state(7270) == .online)
    #expect(state(7260 + 600) == .late)
    #expect(state(7260 + 5000) == .offline)
    // Later that counts as it is.
    #expect(
      HealthRules.state(
        seenAt: Samples.later(-7270), server: server, at: Samples.later(91)) == .offline)
  }
}
