import Testing

@testable import LunaOwner

struct LabelLayoutTests {
  private static let picture = MapBox(left: 0, top: 0, right: 400, bottom: 300)

  private static func side(
    at point: MapBox.Point, lines: [[MapBox.Point]] = [], points: [MapBox.Point] = [],
    taken: [MapBox] = [], isRequired: Bool = false
  ) -> LabelLayout.Side? {
    var layout = LabelLayout(in: picture, lines: lines, points: points + [point], taken: taken)
    return layout.place("2026-11-21 10:42", at: point, isRequired: isRequired)?.side
  }

  @Test func standsToTheRightWhereItIsFree() {
    #expect(Self.side(at: (200, 150)) == .rightAbove)
  }

  @Test func staysInThePicture() {
    #expect(Self.side(at: (390, 150)) == .leftAbove)
    #expect(Self.side(at: (200, 5)) == .rightBelow)
    #expect(Self.side(at: (390, 5)) == .leftBelow)
  }

  @Test func meetsNoLine() {
    // A way that comes from below on the left and goes on to the right above.
    #expect(Self.side(at: (200, 150), lines: [[(100, 250), (200, 150), (300, 60)]]) == .leftAbove)
    #expect(
      Self.side(at: (200, 150), lines: [[(100, 60), (200, 150), (300, 60)]]) == .rightBelow)
    let cross: [[MapBox.Point]] = [[(100, 50), (300, 250)], [(100, 250), (300, 50)]]
    // Right and left of it lines are in the way, and above and below the label is too wide for them.
    #expect(Self.side(at: (200, 150), lines: cross) == nil)
    #expect(Self.side(at: (200, 150), lines: cross, isRequired: true) != nil)
  }

  @Test func meetsNoPoint() {
    #expect(Self.side(at: (200, 150), points: [(240, 139)]) == .leftAbove)
    #expect(Self.side(at: (200, 150), points: [(240, 139), (160, 139)]) == .rightBelow)
  }

  @Test func meetsNoOtherLabel() throws {
    var layout = LabelLayout(in: Self.picture, lines: [], points: [(200, 150)])
    var boxes: [MapBox] = []
    while let label = layout.place("12345678", at: (200, 150), isRequired: false) {
      #expect(boxes.allSatisfy { !$0.meets(label.box) })
      boxes.append(label.box)
      try #require(boxes.count <= LabelLayout.Side.allCases.count)
    }
    #expect(boxes.count >= 4)
  }

  @Test func takesTheLeastBadSideWhereItHasTo() {
    let all = MapBox(left: 0, top: 0, right: 400, bottom: 300)
    #expect(Self.side(at: (200, 150), taken: [all]) == nil)
    // Everywhere one label is in the way; on the right a line as well.
    #expect(
      Self.side(at: (200, 150), lines: [[(250, 0), (250, 300)]], taken: [all], isRequired: true)
        == .leftAbove)
    // What is cut off is no way out.
    #expect(Self.side(at: (395, 150), taken: [all], isRequired: true) == .leftAbove)
  }

  @Test func isAsWideAsItsText() throws {
    var layout = LabelLayout(in: Self.picture, lines: [], points: [])
    let placed = layout.place("52 km", at: (100, 100), isRequired: false)
    let label = try #require(placed)
    #expect(abs(label.box.right - label.box.left - 31) < 0.001)
    #expect(label.box.bottom < 100 && label.box.left > 100)
  }
}
