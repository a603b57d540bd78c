/// Ranks from 1; equal samples have the mean of theirs.
struct Ranks {
  /// Twice the rank of each sample: a whole number.
  let doubled: [Int]
  /// How many samples are equal, for each value that there is.
  let ties: [Int]

  init(_ samples: [Double]) {
    let order = samples.indices.sorted { samples[$0] < samples[$1] }
    var doubled = [Int](repeating: 0, count: samples.count)
    var ties: [Int] = []
    var first = 0
    while first < order.count {
      var end = first + 1
      while end < order.count, samples[order[end]] == samples[order[first]] { end += 1 }
      for index in order[first..<end] { doubled[index] = first + 1 + end }
      ties.append(end - first)
      first = end
    }
    self.doubled = doubled
    self.ties = ties
  }
}
