/** Between the values of the Thrift interface and those of the data model. Pure: a call depends on its arguments alone. */
@NullMarked
package bt.thrift.convert;

import org.jspecify.annotations.NullMarked;
