/// All sums of numbers with either sign: counted by two halves of the numbers, so that 2ⁿ of them
/// cost 2^(n/2) steps (Horowitz and Sahni, 1974, "Computing partitions with applications to the
/// knapsack problem").
enum AllFlips {
  /// The share of the sums whose size is at least so much.
  ///
  /// - Parameter least: above 0.
  static func share(of numbers: [Double], atLeast least: Double) -> Double {
    let middle = numbers.count / 2
    let (left, right) = (sums(numbers[..<middle]), sums(numbers[middle...]))
    // Of a sum and its mirror image one is positive: the positive ones are counted.
    var (count, index) = (0, right.count)
    for sum in left {
      while index > 0, sum + right[index - 1] >= least { index -= 1 }
      count += right.count - index
    }
    return Double(2 * count) / Double(left.count * right.count)
  }

  /// The sums, from the least to the greatest.
  private static func sums(_ numbers: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for number in numbers {
      let size = abs(number)
      var both: [Double] = []
      both.reserveCapacity(2 * sums.count)
      // Two sorted rows: those with the number taken away, and those with it added.
      var (low, high) = (0, 0)
      while high < sums.count {
        if low < sums.count, sums[low] - size <= sums[high] + size {
          both.append(sums[low] - size)
          low += 1
        } else {
          both.append(sums[high] + size)
          high += 1
        }
      }
      sums = both
    }
    return sums
  }
}
