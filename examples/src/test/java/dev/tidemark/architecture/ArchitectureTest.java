package dev.tidemark.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;

import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.DoFn;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The rules of the house that can be read from class files. CONTRIBUTING.md says what each is for.
 */
@RunWith(JUnit4.class)
public class ArchitectureTest {

  /** Coders that pipelines set on collections of public value types. */
  private static final ImmutableSet<String> PUBLIC_CODERS =
      ImmutableSet.of(
          "dev.tidemark.arrow.ChangeBatchCoder",
          "dev.tidemark.change.ChangeCoder",
          "dev.tidemark.change.DebeziumRecordCoder",
          "dev.tidemark.eventtime.DistinctCountCoder",
          "dev.tidemark.eventtime.EventTimeStatsCoder",
          "dev.tidemark.eventtime.QuantilesCoder",
          "dev.tidemark.upsert.KeyedChangesCoder",
          "dev.tidemark.upsert.MaterializedBatchCoder");

  private static JavaClasses house;

  @BeforeClass
  public static void importClasses() {
    List<Location> locations = Stream.of(HouseModule.values()).map(HouseModule::location).toList();
    house = new ClassFileImporter().importLocations(locations);
  }

  @Test
  public void everyClassIsOfOneModule() {
    List<JavaClass> homeless =
        house.stream()
            .filter(
                type -> Stream.of(HouseModule.values()).filter(m -> m.contains(type)).count() != 1)
            .toList();
    assertThat(homeless, empty());
  }

  @Test
  public void modulesKnowOnlyThoseBelowThem() {
    for (HouseModule module : HouseModule.values()) {
      classes().that(module.classes()).should(knowOnlyModulesBelow(module)).check(house);
    }
  }

  @Test
  public void modulesDoNotKnowForeignPlatforms() {
    for (HouseModule module : HouseModule.values()) {
      if (!module.unknownPackages().isEmpty()) {
        noClasses()
            .that(module.classes())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(module.unknownPackages().toArray(String[]::new))
            .check(house);
      }
    }
  }

  @Test
  public void pureLogicDoesNotKnowBeam() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.tidemark.candidates",
            "dev.tidemark.finalization",
            "dev.tidemark.commit",
            "dev.tidemark.merge",
            "dev.tidemark.operator",
            "dev.tidemark.report",
            "dev.tidemark.rocksdb",
            "dev.tidemark.sensor",
            "dev.tidemark.streamload")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.beam..")
        .check(house);
  }

  @Test
  public void packagesAreFreeOfCycles() {
    slices().matching("dev.tidemark.(**)").should().beFreeOfCycles().check(house);
  }

  @Test
  public void packagesAreNamedByFeature() {
    noClasses()
        .should()
        .resideInAnyPackage(
            "..util..", "..utils..", "..common..", "..impl..", "..helper..", "..manager..")
        .check(house);
  }

  @Test
  public void bundledCopiesOfOtherProjectsAreNotUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.beam.vendor..", "org.apache.iceberg.relocated..", "..shaded..")
        .check(house);
  }

  @Test
  public void nullableIsTheCheckerFrameworks() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("javax.annotation", "jakarta.annotation", "org.jetbrains.annotations")
        .check(house);
  }

  @Test
  public void logsGoThroughSlf4j() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.logging..",
            "org.apache.commons.logging..",
            "org.apache.log4j..",
            "org.apache.logging..",
            "com.google.common.flogger..")
        .check(house);
  }

  @Test
  public void onlyCommandsWriteToStandardStreams() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.tidemark.cli..", "dev.tidemark.examples..")
        .should(ACCESS_STANDARD_STREAMS)
        .check(house);
  }

  @Test
  public void doFnsAreNotPublic() {
    classes().that().areAssignableTo(DoFn.class).should().notBePublic().check(house);
  }

  @Test
  public void codersArePublicOnlyForPublicValueTypes() {
    classes()
        .that()
        .areAssignableTo(Coder.class)
        .and(
            DescribedPredicate.describe(
                "are not listed as public", type -> !PUBLIC_CODERS.contains(type.getName())))
        .should()
        .notBePublic()
        .check(house);
  }

  /** A savepoint of Flink's classic runner has coders in it as serialized objects. */
  @Test
  public void codersInSavepointsStayReadable() {
    classes()
        .that()
        .areAssignableTo(Coder.class)
        .should(
            new ArchCondition<>("declare a serialVersionUID") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (type.tryGetField("serialVersionUID").isEmpty()) {
                  events.add(
                      SimpleConditionEvent.violated(type, type.getName() + " declares none"));
                }
              }
            })
        .check(house);
  }

  private static ArchCondition<JavaClass> knowOnlyModulesBelow(HouseModule module) {
    return new ArchCondition<>("know only modules below " + module) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          Arrays.stream(HouseModule.values())
              .filter(other -> !module.mayKnow(other) && other.contains(target))
              .forEach(
                  other ->
                      events.add(
                          SimpleConditionEvent.violated(
                              dependency, other + ": " + dependency.getDescription())));
        }
      }
    };
  }
}
