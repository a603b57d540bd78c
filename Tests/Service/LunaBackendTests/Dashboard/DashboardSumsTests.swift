import Bluetooth
import LunaCore
import LunaJSON
import Testing

@testable import LunaBackend

@Suite struct DashboardSumsTests {
  private static func sample(_ change: (inout HealthReport) -> Void) -> StoredSample {
    var report = HealthReport()
    change(&report)
    return StoredSample(report)
  }

  /// The values of the lines of a widget; nil for a time without one.
  private static func values(_ json: JSONValue) -> [[Double?]] {
    guard case .object(let object) = json, case .array(let series)? = object["series"] else {
      return []
    }
    return series.map { line in
      guard case .object(let line) = line, case .array(let points)? = line["points"] else {
        return []
      }
      return points.map { point in
        guard case .object(let point) = point, case .real(let value)? = point["value"] else {
          return nil
        }
        return value
      }
    }
  }

  private static func values(_ sums: DashboardSums, _ name: String) -> [[Double?]] {
    values(sums.widget(name, .hour, at: Samples.now))
  }

  @Test func addsUpGatewaysAndTakesTheMeanOfEachOne() {
    var sums = DashboardSums(first: 10, count: 3)
    for rate in [10.0, 20] {
      sums.add(Self.sample { $0.packetsPerSecond = rate }, of: "a", bucket: 10)
    }
    sums.add(Self.sample { $0.packetsPerSecond = 5 }, of: "a", bucket: 12)
    sums.add(Self.sample { $0.packetsPerSecond = 100 }, of: "b", bucket: 12)
    // Before and after what is shown.
    for bucket: Int64 in [9, 13] {
      sums.add(Self.sample { $0.packetsPerSecond = 7 }, of: "b", bucket: bucket)
    }
    sums.endGateway()
    #expect(Self.values(sums, "packets") == [[15, nil, 105]])
    #expect(sums.widget("nothing", .hour, at: Samples.now) == .null)
  }

  @Test func countsRecoveriesThatAreNew() {
    var sums = DashboardSums(first: 1, count: 3)
    for (bucket, count) in [(0, 5), (1, 7), (2, 7), (3, 1)] as [(Int64, Int64)] {
      sums.add(Self.sample { $0.recoveries = count }, of: "a", bucket: bucket)
    }
    // Nothing is known of what was before the first one.
    sums.add(Self.sample { $0.recoveries = 50 }, of: "b", bucket: 3)
    sums.endGateway()
    #expect(Self.values(sums, "recoveries") == [[2, 0, 1]])
  }

  @Test func hasTheLongestQueuesAndTheLeastRoom() {
    var sums = DashboardSums(first: 0, count: 1)
    let told: [(String, Int64, Double)] = [("a", 3, 40), ("a", 9, 60), ("b", 1, 20)]
    for (gateway, depth, hours) in told {
      sums.add(
        Self.sample {
          $0.queueDepth = depth
          $0.outageHoursLeft = hours
          $0.sightingsPerMinute = 2
        }, of: gateway, bucket: 0)
    }
    sums.endGateway()
    #expect(Self.values(sums, "queueAndOutage") == [[10], [20]])
    #expect(Self.values(sums, "sightings") == [[240]])
  }
}
