import LunaCore
import Testing

@Suite struct DistanceTests {
  @Test(arguments: [
    ((0.0, 0.0), (0.0, 1.0), 111_195.0), ((52.0, 13.0), (52.0, 13.0), 0),
    ((0.0, 179.9995), (0.0, -179.9995), 111.2), ((90.0, 0.0), (-90.0, 0.0), 20_015_115),
  ])
  func measuresOnTheGround(
    _ from: (Double, Double), _ to: (Double, Double), _ metres: Double
  ) {
    #expect(abs(Distance.metres(from, to) - metres) <= metres * 1e-4 + 0.001)
  }
}
