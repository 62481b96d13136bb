import Harness
import Testing

@testable import OpenVINOEngine
@testable import spinebench_tools

@Suite struct InputShapeTests {
    private func input(_ dimensions: [Int?]?, _ element: NetworkTensor.Element? = .f32) -> NetworkTensor {
        NetworkTensor(name: "x", element: element, dimensions: dimensions)
    }

    @Test(arguments: [
        ("x=1,3,96,640", "x", [1, 3, 96, 640]),
        ("a=b=2", "a=b", [2]),
        ("serving:0=1, 4", "serving:0", [1, 4]),
    ])
    func optionNamesAnInputAndItsSizes(text: String, input: String, dimensions: [Int]) throws {
        let option = try #require(ShapeOption(argument: text))
        #expect(option.input == input)
        #expect(option.dimensions == dimensions)
    }

    @Test(arguments: ["", "x", "=1,2", "x=", "x=1,,2", "x=1,-2", "x=0", "x=a", "x=99999999999999999999"])
    func whatIsNoShapeIsRefused(text: String) { #expect(ShapeOption(argument: text) == nil) }

    @Test(
        arguments: [
            ([1, 3, 4, 4], [1, 3, 4, 4], false),
            ([nil, 3, nil, nil], [1, 3, 224, 224], true),
            ([nil, nil], [1, 128], true),
            ([], [], false),
        ] as [([Int?], [Int], Bool)]
    )
    func sizesThatAreLeftOpenAreUsualOnes(own: [Int?], expected: [Int], isAssumed: Bool) throws {
        let shape = try InputShape.resolve([input(own)], [])
        #expect(shape == [InputShape(tensor: input(own), dimensions: expected, isAssumed: isAssumed)])
    }

    @Test func whatIsNamedCounts() throws {
        let option = try #require(ShapeOption(argument: "x=1,3,96,640"))
        let shapes = try InputShape.resolve([input([nil, 3, nil, nil])], [option])
        #expect(shapes.map(\.dimensions) == [[1, 3, 96, 640]])
        #expect(!shapes[0].isAssumed)
    }

    @Test(
        arguments: [
            ("y=1", [1, nil], "--shape names the input \"y\": did you mean \"x\"?"),
            ("x=1,2,3", [1, nil], "the input \"x\" is 1×? in the file, which 1×2×3 is not"),
            ("x=2,5", [1, nil], "the input \"x\" is 1×? in the file, which 2×5 is not"),
            (
                "x=1,9223372036854775807", [1, nil],
                "the input \"x\" would be 1×9223372036854775807; expected sizes from 1 on and at most 268435456 numbers"
            ),
        ] as [(String, [Int?], String)]
    )
    func shapesThatCannotBeAreRefused(text: String, own: [Int?], problem: String) throws {
        let option = try #require(ShapeOption(argument: text))
        #expect(throws: HarnessError.configuration(problem)) { try InputShape.resolve([input(own)], [option]) }
    }

    @Test func anInputOfAnyRankHasToBeNamed() {
        let problem = "the input \"x\" has any shape: specify one with --shape 'x=1,3,224,224'"
        #expect(throws: HarnessError.configuration(problem)) { try InputShape.resolve([input(nil)], []) }
    }

    @Test func textsCannotBeDrawn() {
        #expect(throws: HarnessError.self) { try InputShape.resolve([input([1], nil)], []) }
        #expect(throws: HarnessError.self) { try InputShape.resolve([], []) }
    }
}
