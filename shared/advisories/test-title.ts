/**
 * Whether a title is itself a test message: "Test", "TEST: Japan", "Test advisory for Lima", "This is only a test". A
 * title about a test ("PCR test required", "Missile test", "Test match in Lahore", "Protests") is not. Check the
 * source's status field first. In a feed, a match is reported as refused, never silently dropped.
 */
export function isTestTitle(title: string): boolean {
  const text = title.replace(/\s+/g, ' ').trim()
  return TEST_TITLES.some((pattern) => pattern.test(text))
}

const TEST_TITLES = [
  // A message of the system itself; "Health system: hospitals are full" is about the world.
  /^\W*system\s*:/i,
  // Marker before the message: "TEST: …", "[Test] …", "Test - …".
  /^\W*test(\s*[:|\])]|\s+[-–—]\s)/i,
  // Marker after the message, in capitals only: "… (TEST)".
  /[[(](THIS IS A )?TEST( ONLY| MESSAGE)?[\])]$/,
  /^\W*test (advisory|advice|alert|message|warning|notification|notice|broadcast|bulletin|entry|item|post|only)\b/i,
  /\bthis is (only |just )?an? (\w+ )?test( message| alert| advisory| only)?\s*([.!,;:–—-]|$)/i,
  // Only words about testing: "Test", "Test 2", "Required weekly test", "Monthly test alert, please ignore".
  /^\W*((please|ignore|do|not|publish|system|routine|required|daily|weekly|monthly|scheduled|the|a|an|this|is|only|just)\W+)*test(\W+(only|alert|message|advisory|please|ignore|do|not|publish|\d{1,6}))*\W*$/i,
]
