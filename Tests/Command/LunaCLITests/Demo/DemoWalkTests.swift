import LunaCore
import Testing

@testable import LunaCLI

@Suite("The ride of the demonstration")
struct DemoWalkTests {
  @Test("It ends where it begins, after about 22 minutes")
  func closes() {
    let (first, last) = (DemoWalk.fix(after: 0), DemoWalk.fix(after: DemoWalk.duration))
    #expect(abs(first.latitude - last.latitude) < 1e-9)
    #expect(abs(first.longitude - last.longitude) < 1e-9)
    #expect(DemoWalk.fix(after: 1e9).latitude == last.latitude, "it stays there")
    #expect(abs(DemoWalk.duration / 60 - 21.8) < 0.5)
  }

  @Test("Every second is 3.5 m, in the direction that is told")
  func isSteady() {
    // Metres of a degree at 52.5 degrees north.
    let (north, east) = (111_195.0, 67_690.0)
    for second in stride(from: 0.0, to: DemoWalk.duration - 1, by: 7) {
      let (here, there) = (DemoWalk.fix(after: second), DemoWalk.fix(after: second + 1))
      guard let course = here.course, here.course == there.course else { continue }
      let (y, x) = (
        (there.latitude - here.latitude) * north, (there.longitude - here.longitude) * east
      )
      #expect(abs((x * x + y * y).squareRoot() - 3.5) < 0.02)
      let heading = (course < 180 ? 1.0 : -1) * x
      #expect(heading > -0.1, "\(course) degrees is to the \(course < 180 ? "east" : "west")")
      #expect(LocationRules.refusal(of: here, at: LocationRules.latest) == nil)
    }
  }
}
