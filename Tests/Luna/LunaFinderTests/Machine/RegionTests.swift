import LunaCore
import Testing

@testable import LunaFinder

@Suite struct RegionTests {
  private func regions(_ actions: [FinderAction]) -> [String] {
    actions.compactMap {
      switch $0 {
      case .entered(let region): "entered \(region.index)"
      case .exited(let region): "exited \(region.index)"
      default: nil
      }
    }
  }

  private func duties(_ actions: [FinderAction]) -> [ScanDuty] {
    actions.compactMap { if case .listen(let duty) = $0 { duty } else { nil } }
  }

  @Test func entersAtOnceAndLeavesAfter30Seconds() {
    var driver = Driver()
    #expect(regions(driver.send(.region(1))) == ["entered 1"])
    driver.tick(20)
    #expect(regions(driver.send(.region(1))).isEmpty)
    #expect(regions(driver.tick(29)).isEmpty)
    #expect(regions(driver.tick(1)) == ["exited 1"])
    #expect(regions(driver.send(.region(1))) == ["entered 1"])
  }

  @Test func knowsTheRegionsApart() {
    var driver = Driver()
    driver.send(.region(0))
    driver.tick(15)
    #expect(regions(driver.send(.region(2))) == ["entered 2"])
    #expect(regions(driver.tick(15)) == ["exited 0"])
    #expect(regions(driver.tick(15)) == ["exited 2"])
    #expect(regions(driver.send(.region(3))).isEmpty)
  }

  @Test func listensSparselyUntilSomethingOfLunaIsNear() {
    var driver = Driver()
    #expect(duties(driver.send(.timePassed)) == [.sparse])
    #expect(duties(driver.send(.region(0))) == [.full])
    #expect(duties(driver.tick(29)).isEmpty)
    #expect(duties(driver.tick(1)) == [.sparse])
    driver.place()
    // A frame of the other kind is as good.
    #expect(duties(driver.hear()) == [.full])
  }

  @Test func trackersInFactoryStateWakeNobody() {
    var driver = Driver()
    driver.send(.timePassed)
    #expect(duties(driver.send(.frame(Samples.frame(1, isOnboardable: true)))).isEmpty)
  }

  @Test func obeysTheDutyOfTheConfiguration() {
    var full = Driver { $0.duty = .full }
    #expect(duties(full.send(.timePassed)) == [.full])
    #expect(duties(full.tick(60)).isEmpty)
    var sparse = Driver { $0.duty = .sparse }
    #expect(duties(sparse.send(.timePassed)) == [.sparse])
    #expect(duties(sparse.send(.region(0))).isEmpty)
  }

  @Test func aCommandIsWorthAFullScan() {
    var driver = Driver { $0.duty = .sparse }
    driver.place()
    driver.hear()
    driver.queue(waiting: 1)
    let actions = driver.send(
      .uploaded(requests: [Samples.request("a", [1])], progress: 1, waiting: 0))
    #expect(duties(actions) == [.full])
    #expect(duties(driver.send(.commandEnded(CommandOutcome(.notReached)))) == [.sparse])
  }
}
