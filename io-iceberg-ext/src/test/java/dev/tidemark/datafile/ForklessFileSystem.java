package dev.tidemark.datafile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system without permissions. Without its native library, Hadoop sets them with a
 * {@code chmod} process for each file and directory, which takes most of the time of a test.
 */
public final class ForklessFileSystem extends LocalFileSystem {
  public ForklessFileSystem() {
    super(new WithoutPermissions());
  }

  /** A configuration in which {@code file:} is this file system. */
  static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set("fs.file.impl", ForklessFileSystem.class.getName());
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    return configuration;
  }

  private static final class WithoutPermissions extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) {}
  }
}
