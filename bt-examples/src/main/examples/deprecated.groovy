// Keeps the pages of a Javadoc site that tell of something deprecated. docs/scripting.md says what a script sees.
cell.family == 'contents' && cell.text.contains('class="deprecation-block"')
