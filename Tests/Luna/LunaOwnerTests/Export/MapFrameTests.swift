import Testing

@testable import LunaOwner

struct MapFrameTests {
  /// So many places within 500 m of one.
  private static func cluster(
    _ count: Int, _ latitude: Double, _ longitude: Double, radius: Double = 20
  ) -> [MapFrame.Place] {
    (0..<count).map { index in
      let step = Double(index % 7) * 0.0005
      return (latitude + step, longitude - step, radius)
    }
  }

  private static func place(
    _ latitude: Double, _ longitude: Double, radius: Double = 20
  ) -> MapFrame.Place {
    (latitude, longitude, radius)
  }

  /// Which places are no part of what is shown.
  private static func outliers(_ places: [MapFrame.Place]) -> [Int] {
    let frame = MapFrame(places)
    #expect(frame.isWithin.count == places.count && frame.distances.count == places.count)
    #expect(frame.framed.count == frame.isWithin.filter { $0 }.count)
    return places.indices.filter { !frame.isWithin[$0] }
  }

  @Test func oneFarPlaceIsLeftOut() throws {
    // 0.45 degrees of latitude are 50 km.
    let places = Self.cluster(30, 52.5, 13.25) + [Self.place(52.95, 13.25)]
    #expect(Self.outliers(places) == [30])
    #expect(abs(MapFrame(places).distances[30] - 50_000) < 1000)
    // Also as the first one, and with few others.
    #expect(Self.outliers([Self.place(52.95, 13.25)] + Self.cluster(30, 52.5, 13.25)) == [0])
    #expect(Self.outliers(Self.cluster(3, 52.5, 13.25) + [Self.place(52.95, 13.25)]) == [3])
  }

  @Test func samePlacesAreAllShown() {
    let same = (0..<50).map { _ in Self.place(1, 1) }
    #expect(Self.outliers(same).isEmpty)
    // What is only across the street is no outlier, though the others are at one spot.
    #expect(Self.outliers(same + [Self.place(1.001, 1)]).isEmpty)
  }

  @Test func ofTwoOrThreeNoneIsWrong() {
    #expect(Self.outliers([]).isEmpty)
    #expect(Self.outliers([Self.place(1, 1)]).isEmpty)
    #expect(Self.outliers([Self.place(1, 1), Self.place(50, 50)]).isEmpty)
    #expect(Self.outliers([Self.place(1, 1), Self.place(1, 1), Self.place(50, 50)]).isEmpty)
    #expect(Self.outliers([Self.place(90, 0), Self.place(-90, 179)]).isEmpty)
  }

  @Test func bothEndsOfACommuteAreShown() {
    let home = Self.cluster(15, 52.5, 13.25)
    #expect(Self.outliers(home + Self.cluster(15, 52.4, 13.0)).isEmpty)
    #expect(Self.outliers(home + Self.cluster(16, 52.4, 13.0)).isEmpty)
    #expect(Self.outliers(Self.cluster(40, 52.5, 13.25) + Self.cluster(8, 52.4, 13.0)).isEmpty)
  }

  @Test func aJourneyIsShownWhole() {
    let way = (0..<100).map { Self.place(52 + Double($0) * 0.02, 13.25) }
    #expect(Self.outliers(way).isEmpty)
  }

  @Test func theDateLineIsNoDistance() {
    let east = Self.cluster(15, 0, 179.999)
    let west = (0..<15).map { Self.place(Double($0) * 0.0001, -179.999) }
    #expect(Self.outliers(east + west).isEmpty)
    #expect(Self.outliers(east + west + [Self.place(0.5, 179.9)]) == [30])
    // The first one is far away from the date line.
    #expect(Self.outliers([Self.place(0, 0)] + east + west) == [0])
  }

  @Test func aHugeCircleDoesNotShrinkTheOthers() throws {
    var places = Self.cluster(30, 52.5, 13.25)
    places[4].radius = 500_000
    #expect(Self.outliers(places).isEmpty)
    let widest = try #require(MapFrame(places).framed.map(\.radius).max())
    #expect(widest < 5000)
    // Where all are known no better, they are seen whole.
    let vague = Self.cluster(30, 52.5, 13.25, radius: 6000)
    #expect(MapFrame(vague).framed.allSatisfy { $0.radius == 6000 })
    #expect(MapFrame([Self.place(1, 1, radius: 6000)]).framed.map(\.radius) == [6000])
  }
}
