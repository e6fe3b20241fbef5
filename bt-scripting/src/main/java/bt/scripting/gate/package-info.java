/**
 * What may compile. A script passes through here in this order, and each step refuses what it does not know:
 *
 * <ol>
 *   <li>{@link bt.scripting.gate.SourceBounds}: length, number of tokens, nesting;
 *   <li>Groovy's parser alone, with none of its transformations, so that no annotation and no {@code @Grab} runs;
 *   <li>{@link bt.scripting.gate.Translator}: builds a new tree out of the parsed one, in which every method, operator
 *       and property is a call of a static method of {@code bt.scripting.dsl}. Nothing of the parsed tree is kept, so
 *       what the translator does not know cannot get past it: annotations, imports, classes, closures, pointers,
 *       constructors, casts, names made at run time;
 *   <li>Groovy's static compiler with {@link bt.scripting.gate.WordsOnly}, which sees each method that was chosen;
 *   <li>{@link bt.scripting.gate.ClassGuard}: reads the class that came out, instruction by instruction;
 *   <li>{@link bt.scripting.gate.ScriptLoader}: a class loader that can see the words and seven classes of the JDK.
 * </ol>
 */
@NullMarked
package bt.scripting.gate;

import org.jspecify.annotations.NullMarked;
