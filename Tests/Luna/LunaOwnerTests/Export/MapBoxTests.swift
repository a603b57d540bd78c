import Testing

@testable import LunaOwner

struct MapBoxTests {
  private static let box = MapBox(left: 10, top: 20, right: 30, bottom: 40)

  static let lines: [(Double, Double, Double, Double, Bool)] = [
    (0, 30, 50, 30, true), (0, 0, 50, 50, true), (15, 25, 16, 26, true), (20, 0, 20, 25, true),
    (0, 10, 50, 10, false), (0, 30, 9, 30, false), (0, 45, 45, 0, true), (0, 25, 25, 0, false),
    (20, 30, 20, 30, true), (5, 5, 5, 5, false), (-1e9, 30, 1e9, 30, true),
  ]

  @Test(arguments: lines)
  func tellsWhetherALineMeetsIt(
    _ x: Double, _ y: Double, _ otherX: Double, _ otherY: Double, _ meets: Bool
  ) {
    #expect(Self.box.meets((x, y), (otherX, otherY)) == meets)
    #expect(Self.box.meets((otherX, otherY), (x, y)) == meets)
  }

  @Test func tellsWhetherADiscMeetsIt() {
    #expect(Self.box.meets((20, 30), radius: 1))
    #expect(Self.box.meets((5, 30), radius: 6))
    #expect(!Self.box.meets((5, 30), radius: 5))
    #expect(!Self.box.meets((6, 16), radius: 5))
  }

  @Test func isLeftAtItsBorder() {
    func border(_ x: Double, _ y: Double) -> [Double] {
      let point = Self.box.border(from: (20, 30), towards: (x, y))
      return [point.x, point.y]
    }
    #expect(border(84, 30) == [30, 30])
    #expect(border(20, -34) == [20, 20])
    #expect(border(0, 50) == [10, 40])
    #expect(border(20, 30) == [20, 30])
  }
}
