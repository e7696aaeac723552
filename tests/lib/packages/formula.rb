# A substitute for Homebrew: reads a formula, prints its description, installs it and runs its test.
# ruby formula.rb FORMULA PREFIX TESTPATH
# `system` runs in the working directory. If a command fails, the script ends.
require "English"
require "pathname"

class Pathname
  alias to_str to_s # as in Homebrew
end

class Formula
  WORDS = %i[desc homepage url sha256 license].freeze

  class << self
    attr_reader :formulas, :needs, :said, :try

    WORDS.each { |word| define_method(word) { |value| (@said ||= {})[word] = value } }

    def depends_on(what)
      (@needs ||= []) << what.to_s
    end

    def test(&block)
      @try = block
    end

    def inherited(formula)
      super
      (@formulas ||= []) << formula
    end
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix = Pathname(prefix)
    @testpath = Pathname(testpath)
  end

  def bin
    prefix/"bin"
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s), exception: true)
  end

  def shell_output(command)
    said = `#{command}`
    raise "#{command}: #{$CHILD_STATUS}" unless $CHILD_STATUS.success?

    said
  end

  def assert_match(wanted, said)
    raise "no '#{wanted}' in '#{said}'" unless said.include?(wanted)
  end
end

load ARGV.fetch(0)
formula = Formula.formulas.fetch(0)
missing = Formula::WORDS - formula.said.keys
raise "lacks #{missing.join(', ')}" unless missing.empty?
raise "its name is not that of its file" unless formula.name.downcase == File.basename(ARGV[0], ".rb")
raise "too long: #{formula.said[:desc]}" if formula.said[:desc].length > 80

puts(formula.said[:url], formula.said[:sha256], formula.needs.join(" "))
$stdout.flush
one = formula.new(ARGV.fetch(1), ARGV.fetch(2))
one.install
one.instance_eval(&formula.try)
